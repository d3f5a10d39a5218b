# Puts toto's farm in front of PATH. Written by `toto setup`; safe to read any number of times.
begin
    set -l farm @FARM@
    if test "$PATH[1]" != "$farm"
        set -l rest
        for directory in $PATH
            test "$directory" = "$farm"; or set -a rest $directory
        end
        set -gx PATH $farm $rest
    end
end
# In an agent's shell: a directory that is put in front of PATH later, such as an environment's, goes behind the farm
# again. (Other words for the tools would be functions, which fish cannot start in the background.)
if status is-interactive; or test -z "@MARKS@"
else if not functions -q _toto_in_front
    function _toto_in_front --on-variable PATH
        set -l farm @FARM@
        if test "$PATH[1]" != "$farm"
            set -l rest
            for directory in $PATH
                test "$directory" = "$farm"; or set -a rest $directory
            end
            set -gx PATH $farm $rest
        end
    end
end
